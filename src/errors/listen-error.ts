import { CodedError } from './coded-error.ts';

/** The server cannot listen at the configured address. */
export function listenError(host: string, port: number, cause: unknown): CodedError {
  return new CodedError('ListenError', 'fix-config', explain(host, port, cause), { host, port, cause });
}

function explain(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program. Give another --port, or 0 for any that is free.`;
    case 'EACCES':
      return `Port ${port} of ${host} may not be used without more rights. Give a --port of 1024 or more, and a proxy in front.`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. Give one that it has as --host, 127.0.0.1 or 0.0.0.0.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} leads to no address. Give an address of this machine as --host, like 127.0.0.1 or 0.0.0.0.`;
    case 'ERR_SOCKET_BAD_PORT':
      return `${port} is no port. Give a --port from 0 to 65535.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${cause instanceof Error ? cause.message : String(cause)}. Give another --host or --port.`;
  }
}
