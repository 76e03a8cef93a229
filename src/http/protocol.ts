import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http';
import { interceptRequests } from './intercept-requests.ts';

/**
 * Passes only HTTP/1 requests on to the server. Node's parser also accepts HTTP/0.9 (a request line without a version), RTSP, ICE and the
 * preface of HTTP/2, whose methods are unknown to the router.
 */
export function refuseOtherProtocols(server: Server, refuse: (res: ServerResponse) => void): void {
  interceptRequests(server, (req, res, next) => (isHttp1(req) ? next() : refuse(res)));
}

const methods = new Set(METHODS);

function isHttp1({ httpVersionMajor, method = '' }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && methods.has(method);
}
