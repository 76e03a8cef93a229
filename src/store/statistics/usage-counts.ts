/** Counted calls, as rows of the statistics that they are added to. */
export interface UsageCounts {
  calls: CallCount[];
  prompts: PromptCount[];
  renderErrors: RenderErrorCount[];
  keyUses: KeyUse[];
}

export interface CallCount {
  accountId: string;
  time: string;
  route: string;
  status: number;
  bucket: number;
  calls: number;
}

export interface PromptCount {
  accountId: string;
  time: string;
  promptId: string;
  version: number;
  label: string;
  status: number;
  calls: number;
}

export interface RenderErrorCount {
  accountId: string;
  time: string;
  promptId: string;
  code: string;
  name: string;
  calls: number;
}

/** The last use of the newest key of an account. */
export interface KeyUse {
  accountId: string;
  keySerial: number;
  lastUsedMs: number;
}
