import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

export type McpSdk = typeof import('@modelcontextprotocol/server');
export type McpStdioSdk = typeof import('@modelcontextprotocol/server/stdio');

/** The package that speaks the protocol. Throws a {@link SettingRefusedError} that says what to install if it is missing. */
export async function loadMcpSdk(
  load: () => Promise<McpSdk> = () => import('@modelcontextprotocol/server'),
): Promise<McpSdk> {
  return await installed(load);
}

export async function loadMcpStdioSdk(
  load: () => Promise<McpStdioSdk> = () => import('@modelcontextprotocol/server/stdio'),
): Promise<McpStdioSdk> {
  return await installed(load);
}

async function installed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new SettingRefusedError('mcp', 'without its package', 'Install it: npm i @modelcontextprotocol/server');
  }
}
