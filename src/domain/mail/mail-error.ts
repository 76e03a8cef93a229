/** Why a mail could not be sent. The text names neither the recipient nor what the mail says. */
export class MailError extends Error {
  /** Whether it may work later. */
  readonly isTemporary: boolean;

  constructor(reason: string, { isTemporary, cause }: { isTemporary: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.name = 'MailError';
    this.isTemporary = isTemporary;
  }
}
