import type { ModelKind } from '../../contract/model-kinds.ts';
import type { Fixed, FixedOrNull } from '../columns.ts';

export interface ModelTables {
  /** A server that runs models for a workspace. */
  model_connections: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    name: string;
    /** The protocol of the server. */
    kind: ModelKind;
    base_url: string;
    /** JSON: the names of the allowed models. */
    models: string;
    /** JSON: prices by model. */
    prices: string;
    key_cipher: string | null;
    key_hint: string | null;
    created_at: Fixed<string>;
    updated_at: string;
  };

  /** The usage of a workspace's models on a day in UTC. */
  model_usage: {
    account_id: Fixed<string>;
    day: Fixed<string>;
    requests: number;
    tokens: number;
    /** The cost in US dollars. */
    cost: number;
  };

  /** A run of a prompt. */
  prompt_runs: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    bytes: Fixed<number>;
    created_at: Fixed<string>;
    /** JSON: the fields that lists show. */
    summary: Fixed<string>;
    /** JSON: everything else about the run. */
    detail: Fixed<string>;
  };

  /** A test case: variables of a prompt, and the checks that the output must pass. */
  prompt_cases: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    /** The digest of the content. The name does not affect the result of a test case. */
    digest: string;
    bytes: number;
    name: string;
    created_at: Fixed<string>;
    updated_at: string;
    /** JSON: variables and checks. */
    content: string;
  };

  /** The result of a check run. */
  prompt_checks: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    version: Fixed<number>;
    has_passed: Fixed<number>;
    /** Identifies the test cases that were run. */
    cases_digest: Fixed<string>;
    /** Identifies the content that was checked. Null for checks by earlier versions of the service. */
    content_digest: FixedOrNull;
    bytes: Fixed<number>;
    created_at: Fixed<string>;
    /** JSON: the fields that lists show. */
    summary: Fixed<string>;
    /** JSON: the results of the test cases. */
    detail: Fixed<string>;
  };
}
