export type VerifyLanguage = 'typescript' | 'python' | 'shell';

export const verifyLanguages = [
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'shell', label: 'openssl' },
] as const satisfies { value: VerifyLanguage; label: string }[];

/** Code that verifies the signature of a delivery. docs/webhooks.md contains the same code, and the tests run both copies. */
export const verifySnippets: Record<VerifyLanguage, string> = {
  typescript: `import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');

/** Throws if the signature is wrong. The body is the text as it arrived. */
export function readEvent(body: string, headers: Record<string, string>) {
  return webhook.verify(body, headers);
}`,
  python: `import base64, hashlib, hmac, os, time

def is_signed(headers, body: bytes) -> bool:
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))`,
  shell: `# The body is in body.json, the headers in WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE.
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $WEBHOOK_SIGNATURE " in *" v1,$signature "*) echo valid ;; *) echo invalid ;; esac`,
};
