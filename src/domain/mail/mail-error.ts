/** The reason why an email could not be sent. The message contains neither the recipient nor the content of the email. */
export class MailError extends Error {
  /** Whether sending may succeed later. */
  readonly isTemporary: boolean;

  constructor(reason: string, { isTemporary, cause }: { isTemporary: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.name = 'MailError';
    this.isTemporary = isTemporary;
  }
}
