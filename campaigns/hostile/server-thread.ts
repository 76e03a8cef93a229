import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type Certificate,
  hostileBehaviors,
  hostileHandshakes,
  hostileTlsBehaviors,
  startHostileServer,
} from '../../test/support/hostile/servers.ts';

export interface ForeignServers {
  /** The addresses of hostile servers, by behavior. */
  hostile: Record<string, string>;
  /** A model server and a receiver of webhooks that respond at once. */
  friendly: string;
  /** The file of the certificate that the service has to trust, as if an authority had signed it. */
  certificateFile: string;
  stop(): Promise<void>;
}

/** Starts the servers that the service talks to in a separate thread, so that their work does not delay the measurement. */
export async function startServers(): Promise<ForeignServers> {
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-campaign-'));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], { stdio: 'ignore' });
  const workerData: Certificate = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certificateFile, 'utf8') };
  const worker = new Worker(new URL(import.meta.url), { workerData });
  const [urls] = (await once(worker, 'message')) as [Pick<ForeignServers, 'hostile' | 'friendly'>];
  return {
    ...urls,
    certificateFile,
    async stop() {
      await worker.terminate();
      rmSync(folder, { recursive: true });
    },
  };
}

if (!isMainThread) {
  const completion = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const friendly = createServer((req, res) => {
    req.resume();
    req.once('end', () => void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(completion));
  }).listen(0, '127.0.0.1');
  await once(friendly, 'listening');
  const plain = await startHostileServer();
  const secure = await startHostileServer({ certificate: workerData as Certificate });
  const hostile: Record<string, string> = {};
  for (const name of Object.keys(hostileBehaviors)) hostile[name] = `${plain.url}/${name}`;
  for (const name of Object.keys(hostileTlsBehaviors)) hostile[name] = `${secure.url}/${name}`;
  for (const name of Object.keys(hostileHandshakes)) hostile[name] = (await startHostileServer({ handshake: name })).url;
  parentPort?.postMessage({ hostile, friendly: `http://127.0.0.1:${(friendly.address() as AddressInfo).port}` });
}
