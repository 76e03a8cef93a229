import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/**
 * Returns a statement in the format `android-key` whose certificates name a list of revoked certificates. Anyone can make such a
 * statement, because its root certificate is part of it.
 */
export function attestWithRevocationList(url: string) {
  return (clientData: Buffer, publicKey: KeyObject) => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const challenge = createHash('sha256').update(clientData).digest();
    const numbers = [der(0x02, Buffer.from([3])), der(0x0a, Buffer.from([1]))];
    const description = sequence(...numbers, ...numbers, der(0x04, challenge), der(0x04), sequence(), sequence());
    const points = sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url))))));
    const extensions = [extension('2b06010401d679020111', description), extension('551d1f', points)];
    const leaf = toCertificate({ subject: 'leaf', publicKey, signer: root.privateKey, extensions });
    const anchor = toCertificate({ subject: 'root', publicKey: root.publicKey, signer: root.privateKey, extensions: [] });
    const attStmt = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(70)],
      ['x5c', [new Uint8Array(leaf), new Uint8Array(anchor)]],
    ]);
    return { fmt: 'android-key', attStmt };
  };
}

interface Certificate {
  subject: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
}

/** Returns a certificate of the authority `root`, in DER. */
function toCertificate({ subject, publicKey, signer, extensions }: Certificate): Buffer {
  const algorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([subject.length])),
    algorithm,
    nameOf('root'),
    validity,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(content, algorithm, der(0x03, Buffer.from([0]), sign('sha256', content, signer)));
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(text)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(der(0x06, Buffer.from(id, 'hex')), der(0x04, value));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
