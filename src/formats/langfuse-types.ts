/** A prompt in the list of Langfuse. */
export interface LangfuseListed {
  name: string;
  type: string;
  /** In ascending order. */
  versions: number[];
  tags: string[];
  lastUpdatedAt: string;
}

/** A version as Langfuse has it. Anything may be in it: the server is not ours. */
export interface LangfuseVersion {
  version: number;
  type: string;
  prompt: unknown;
  config: unknown;
  labels: string[];
  commitMessage: string | null;
  createdAt: string;
  createdBy: string | null;
}
