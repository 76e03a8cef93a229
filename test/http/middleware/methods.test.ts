import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { isCampaign } from '../../support/campaign.ts';
import { register } from '../../support/client.ts';
import { sendRaw } from '../../support/raw.ts';
import { type Service, startService } from '../../support/service.ts';

/** Methods of protocols that resemble HTTP, which Node's parser accepts, and methods that do not exist. */
const foreignMethods = [
  ...['PRI', 'SOURCE', 'DESCRIBE', 'ANNOUNCE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN', 'GET_PARAMETER', 'SET_PARAMETER', 'REDIRECT'],
  ...['RECORD', 'FLUSH', 'UNKNOWN', 'get', 'constructor', '__proto__'],
];
const methods = [...new Set([...METHODS, ...foreignMethods])];
const versions = ['', ' HTTP/0.9', ' HTTP/1.0', ' HTTP/1.1', ' HTTP/2.0', ' RTSP/1.0', ' ICE/1.0'];
const paths = [
  ...['/', '*', '/api/auth/token', '/api/prompts', '/api/prompts/a/render', '/api/mcp', '/api/public/v2/prompts/a', '/api/events'],
  ...['/healthz', '/dashboard', '/api/unknown', '/api/%E0%A4%A', '//', '/?', 'http://x/api/auth/token', 'x:1'],
];

describe('Methods and versions', () => {
  let service: Service;
  let account: Awaited<ReturnType<typeof register>>;
  before(async () => {
    service = await startService();
    account = await register(service);
  });
  after(() => service.close());

  for (const version of versions) {
    it(`every method with ${version || 'no version'}: no 5xx, a request id, and no error in the log`, async () => {
      for (const [row, method] of methods.entries()) {
        // Every fourth combination is enough: each method meets each path in one version or another, and each version meets all of them.
        for (const path of paths.filter((_, column) => isCampaign || (row + column + versions.indexOf(version)) % 4 === 0)) {
          for (const headers of ['', 'host: x\r\n', `host: x\r\nauthorization: Bearer ${account.token}\r\n`]) {
            // An event stream ends only when the service stops, so it is not requested here.
            if (path === '/api/events' && method === 'GET' && headers.includes('Bearer')) continue;
            const request = `${method} ${path}${version}\r\n${headers}connection: close\r\n\r\n`;
            const responses = await sendRaw(service, request);
            for (const { status, headers } of responses) {
              assert.ok(status < 500, `${status} to ${request}`);
              assert.ok(headers['x-request-id'], `no request id for ${request}`);
            }
            // Node responds to CONNECT only by closing the connection.
            assert.ok(responses.length === 1 || method === 'CONNECT', `no response to ${request}`);
          }
        }
      }
      assert.doesNotMatch(service.logs(), /"level":(50|60)/);
    });
  }

  it('400 in the order of the connection: a request of another protocol behind others', async () => {
    const first = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const responses = await sendRaw(service, `${first}DESCRIBE /api/auth/token RTSP/1.0\r\n\r\n`);
    assert.deepEqual(
      responses.map(({ status, text }) => [status, (JSON.parse(text) as { code?: string }).code]),
      [
        [200, undefined],
        [400, 'bad_request'],
      ],
    );
  });
});
