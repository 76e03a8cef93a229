/** The nonce of the content security policy, for the style sheets that the editor and dialogs add. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
