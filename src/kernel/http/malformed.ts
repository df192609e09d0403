// What is no request at all is answered on the bare connection, in the interface's own form, and the connection ends.
import type { Duplex } from 'node:stream';

interface Malformation {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

const malformations: Record<string, Malformation> = {
  HPE_INVALID_METHOD: {
    status: '404 Not Found',
    code: 'rest_no_route',
    message: 'There is nothing at this address that answers this method.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'rest_headers_too_large',
    message: 'The header of the request is too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'rest_request_timeout',
    message: 'The request took too long to arrive.',
  },
};

const other: Malformation = {
  status: '400 Bad Request',
  code: 'rest_malformed_request',
  message: 'This is not a request that can be understood.',
};

export function rejectMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = malformations[error.code ?? ''] ?? other;
  const body = errorText(Number.parseInt(status, 10), code, message);
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=UTF-8',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

export const errorText = (status: number, code: string, message: string): string =>
  JSON.stringify({ code, message, data: { status } });
