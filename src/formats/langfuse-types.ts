/** A prompt in Langfuse's list. */
export interface LangfuseListed {
  name: string;
  type: string;
  /** The version numbers in ascending order. */
  versions: number[];
  tags: string[];
  lastUpdatedAt: string;
}

/** A version as Langfuse returns it. Its fields may contain anything, because the server is not trusted. */
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
