import type { Generated } from 'kysely';
import type { Fixed, FixedOrNull } from '../columns.ts';

export interface AccountTables {
  /** The key is stored in the account's row, so that the schema guarantees one key per account. */
  accounts: {
    id: Fixed<string>;
    email: string;
    name: string;
    password_hash: string;
    key_digest: string;
    key_cipher: string;
    key_created_at: string;
    /** Increases with every reset, so that uses of the current key can be distinguished from uses of earlier ones. */
    key_serial: Generated<number>;
    /**
     * Increases with every write to the account's prompts, and when the account is renamed. Read it together with `revision_salt`, see
     * accounts/revision.ts.
     */
    revision: Generated<number>;
    /** A random number, renewed with every write to the account's prompts. */
    revision_salt: Generated<number>;
    /** The usage that the quotas limit. Prompts in the bin count. */
    prompt_count: Generated<number>;
    version_count: Generated<number>;
    content_bytes: Generated<number>;
    created_at: Fixed<string>;
    updated_at: string;
    /** Set when the account is deleted. It then has no key, email or password, and its rows are being removed. */
    deleted_at: Generated<string | null>;
    /** The workspace that a service account belongs to. Null for people, who have their own workspace. */
    home_workspace_id: FixedOrNull;
    /** JSON: the protected labels of this workspace. */
    protected_labels: Generated<string>;
    /** JSON: the gated labels of this workspace, which require passing checks. */
    gated_labels: Generated<string>;
    /** The number of enabled webhooks of this workspace. */
    enabled_webhooks: Generated<number>;
    /** JSON: the daily budget of this workspace. Null means that there is no limit. */
    daily_budget: Generated<string | null>;
    /** When the address was first verified, with a link that was sent only to it. Null until then. */
    email_verified_at: Generated<string | null>;
    /** When the account first used an invitation link. It proves less, because the person who invites also sees the link. */
    invited_at: Generated<string | null>;
  };

  /** The remaining record of a deleted account: that it existed, and when it was deleted. */
  deleted_accounts: {
    id: Fixed<string>;
    deleted_at: Fixed<string>;
  };

  /** The addresses from which an account has signed in. Guesses by others do not make it wait there. */
  sign_in_addresses: {
    account_id: Fixed<string>;
    /** An IPv4 address or an IPv6 network, as in the names of throttles. */
    address: Fixed<string>;
    last_used_at: string;
  };

  sessions: {
    id: Fixed<string>;
    /** The digest of the token in the cookie. */
    token: Fixed<string>;
    account_id: Fixed<string>;
    expires_at: string;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Fixed<string>;
    updated_at: string;
  };

  /** Links for resetting a password and for verifying an email address. */
  verifications: {
    /** The digest of the link's token. */
    id: Fixed<string>;
    identifier: string;
    /** The account id. */
    value: string;
    expires_at: string;
    created_at: Fixed<string>;
    updated_at: string;
  };

  throttles: {
    name: Fixed<string>;
    failures: number;
    blocked_until: string;
    updated_at: string;
  };

  two_factors: {
    account_id: Fixed<string>;
    secret_cipher: string;
    /** Null until the owner has entered a first code. Until then, signing in needs no code. */
    confirmed_at: string | null;
    /** The time step of the last accepted code, so that no code is accepted twice. */
    last_step: number;
    codes_created_at: string | null;
  };

  recovery_codes: {
    account_id: Fixed<string>;
    code_digest: Fixed<string>;
  };

  /** Sign-ins, key resets and other events of an account. They are deleted with it. */
  account_events: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    type: Fixed<string>;
    at: Fixed<string>;
    address: Fixed<string | null>;
    user_agent: Fixed<string | null>;
    /** The member of the workspace who did it, if it was another account. */
    by_account_id: FixedOrNull;
    by_name: FixedOrNull;
    /** JSON: what changed. */
    detail: FixedOrNull;
  };
}
