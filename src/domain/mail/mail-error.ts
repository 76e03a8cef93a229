/** Why an email could not be sent. The text contains neither the recipient nor the content. */
export class MailError extends Error {
  /** Whether sending may succeed later. */
  readonly isTemporary: boolean;

  constructor(reason: string, { isTemporary, cause }: { isTemporary: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.name = 'MailError';
    this.isTemporary = isTemporary;
  }
}
