import { addSourceTool } from './add-source.ts';
import { changesSince } from './changes-since.ts';
import { discoverTool } from './discover.ts';
import type { McpPorts } from './mcp-ports.ts';
import { readPageTool, readSectionTool } from './read-page.ts';
import { resolveEndpointTool } from './resolve-endpoint.ts';
import { searchTool } from './search.ts';
import { sourcesTool } from './sources.ts';
import type { Tool } from './tool.ts';
import { whyTool } from './why.ts';

/** Every tool, in the order in which clients see them. */
export function toolsOver(ports: McpPorts): readonly Tool[] {
  const { addSource } = ports;
  return [
    changesSince(ports),
    sourcesTool(ports),
    searchTool(ports),
    readPageTool(ports),
    readSectionTool(ports),
    whyTool(ports),
    discoverTool(ports),
    resolveEndpointTool(ports),
    ...(addSource === undefined ? [] : [addSourceTool(addSource.bind(ports))]),
  ];
}
