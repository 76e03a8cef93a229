/** The nonce of this page's content security policy, for the style sheets that the editor and the dialogs add. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
