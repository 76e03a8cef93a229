import type { Fixed } from '../columns.ts';

export interface ModelTables {
  /** A server that runs models for a workspace. */
  model_connections: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    name: string;
    base_url: string;
    /** JSON: the names of models that may be used. */
    models: string;
    /** JSON: prices by model. */
    prices: string;
    key_cipher: string | null;
    key_hint: string | null;
    created_at: Fixed<string>;
    updated_at: string;
  };

  /** What the models of a workspace have used on a day in UTC. */
  model_usage: {
    account_id: Fixed<string>;
    day: Fixed<string>;
    requests: number;
    tokens: number;
    /** US dollars. */
    cost: number;
  };

  /** A prompt that was run on a model. */
  prompt_runs: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    bytes: Fixed<number>;
    created_at: Fixed<string>;
    /** JSON: what a list shows. */
    summary: Fixed<string>;
    /** JSON: the rest. */
    detail: Fixed<string>;
  };

  /** An input of a prompt, and what must hold for the output. */
  prompt_cases: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    /** Of the content. The name does not matter to the result of a case. */
    digest: string;
    bytes: number;
    name: string;
    created_at: Fixed<string>;
    updated_at: string;
    /** JSON: variables and checks. */
    content: string;
  };

  /** The result of running all cases of a prompt on a version. */
  prompt_checks: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    version: Fixed<number>;
    has_passed: Fixed<number>;
    /** Says which cases were run. */
    cases_digest: Fixed<string>;
    bytes: Fixed<number>;
    created_at: Fixed<string>;
    /** JSON: what a list shows. */
    summary: Fixed<string>;
    /** JSON: the results of the cases. */
    detail: Fixed<string>;
  };
}
