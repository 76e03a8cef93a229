/** The error codes for a certificate that was not signed by an authority that this machine trusts. */
const untrustedCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

/** Explains why a TLS connection to a server failed, and what the user can do. Returns undefined if a request failed for another reason. */
export function describeTlsProblem(err: unknown, address: string): string | undefined {
  for (let cause = err; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    // Node adds advice after a semicolon.
    const reason = cause.message.split(/[;\n]/)[0] ?? '';
    if (untrustedCodes.has(code)) {
      return (
        `The certificate of ${address} is not trusted (${reason}). If it is your own certificate, set NODE_EXTRA_CA_CERTS to a PEM ` +
        'file before the program starts. The file must contain the certificate of your authority or, without an authority, the self-signed certificate.'
      );
    }
    if (code.startsWith('CERT_'))
      return `The certificate of ${address} is not valid (${reason}). It must be renewed, or the clock of this machine is wrong.`;
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${address} is for another name (${reason}).`;
    if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) {
      return `The TLS connection to ${address} failed (${describeCode(code)}). Does the service use http instead of https?`;
    }
  }
  return undefined;
}

/** Describes a TLS error by its code, because OpenSSL's messages contain memory addresses and source lines. */
function describeCode(code: string): string {
  return code
    .replace(/^ERR_(SSL|TLS)_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
}
