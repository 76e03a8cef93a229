import type { Generated } from 'kysely';
import type { NotificationKind } from '../../contract/notification-kinds.ts';
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
    /** Increases with every reset, so that uses of the current key can be distinguished from uses of earlier keys. */
    key_serial: Generated<number>;
    /**
     * Increases with every write to the account's prompts, and when the account is renamed. Read it together with `revision_salt`, see
     * accounts/revision.ts.
     */
    revision: Generated<number>;
    /** A random number that changes with every write to the account's prompts. */
    revision_salt: Generated<number>;
    /** The usage that the quotas limit. Prompts in the bin count too. */
    prompt_count: Generated<number>;
    version_count: Generated<number>;
    content_bytes: Generated<number>;
    created_at: Fixed<string>;
    updated_at: string;
    /** When the account was deleted. A deleted account has no key, email or password, and its rows are being removed. */
    deleted_at: Generated<string | null>;
    /** The workspace that a service account belongs to. Null for people, who have their own workspace. */
    home_workspace_id: FixedOrNull;
    /** The ids of the people who have received the key of a service account, separated by spaces. Null for people. */
    key_holders: Generated<string | null>;
    /** JSON: the protected labels of this workspace. */
    protected_labels: Generated<string>;
    /** JSON: the gated labels of this workspace, which require passing checks. */
    gated_labels: Generated<string>;
    /** JSON: the rules of labels that require proposals. */
    label_rules: Generated<string>;
    /** The number of enabled webhooks of this workspace. */
    enabled_webhooks: Generated<number>;
    /** JSON: the daily budget of this workspace. Null means that there is no limit. */
    daily_budget: Generated<string | null>;
    /** When the address was first verified with a link that was sent only to this address. Null until then. */
    email_verified_at: Generated<string | null>;
    /** When the account first used an invitation link. Such a link proves less, because the person who invites also sees it. */
    invited_at: Generated<string | null>;
    /** JSON: the kinds of notifications that the person has turned off, by channel. Null if none. */
    notification_settings: Generated<string | null>;
  };

  /** The remaining record of each deleted account: its id, and when it was deleted. */
  deleted_accounts: {
    id: Fixed<string>;
    deleted_at: Fixed<string>;
  };

  /**
   * The addresses from which an account has signed in. Password guesses from other addresses do not make the owner wait at these addresses.
   */
  sign_in_addresses: {
    account_id: Fixed<string>;
    /** An IPv4 address or an IPv6 network, in the same form as in the names of throttles. */
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
    /** When the person last proved their identity in this session. Null if they have not, or if an earlier version created the session. */
    proved_at: Generated<string | null>;
    /** The OpenID Connect provider that signed the person in, its `sub`, and its `sid`. Null for sessions of another kind. */
    issuer: FixedOrNull;
    subject: FixedOrNull;
    provider_session: FixedOrNull;
  };

  /** The identities of accounts at OpenID Connect providers. */
  identities: {
    issuer: Fixed<string>;
    /** The value of the claim that identifies the person, which is `sub` at most providers. */
    subject: Fixed<string>;
    account_id: Fixed<string>;
    /** The address that the provider stated last. The address is only for display. */
    email: string | null;
    created_at: Fixed<string>;
    last_used_at: string;
  };

  /**
   * The logout tokens of providers that were accepted. While a token is stored, it is not accepted again, and sign-ins from before the
   * logout are refused.
   */
  provider_logouts: {
    /** The digest of the token. */
    id: Fixed<string>;
    issuer: Fixed<string>;
    subject: FixedOrNull;
    provider_session: FixedOrNull;
    issued_at: Fixed<string>;
    expires_at: Fixed<string>;
  };

  /** The digests of states and challenges that were used and must not be accepted again before they expire. */
  used_tokens: {
    id: Fixed<string>;
    expires_at: string;
  };

  /** Links for resetting a password, and for verifying or changing an email address. */
  verifications: {
    /** The digest of the link's token. */
    id: Fixed<string>;
    identifier: string;
    /** The account id. */
    value: string;
    /** The new address, in a link that changes the address of the account. */
    email: FixedOrNull;
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
    /** When the owner entered the first code. Until then, the column is null, and signing in needs no code. */
    confirmed_at: string | null;
    /** The time step of the last accepted code, so that no code is accepted twice. */
    last_step: number;
    codes_created_at: string | null;
  };

  recovery_codes: {
    account_id: Fixed<string>;
    code_digest: Fixed<string>;
  };

  /**
   * Keys of devices and password managers with which a person signs in. An account with a passkey does not sign in with its password alone.
   */
  passkeys: {
    id: Fixed<string>;
    account_id: Fixed<string>;
    /** The id that the device chose, in base64url. */
    credential_id: Fixed<string>;
    /** The host of the service for which the passkey was created. Browsers offer the passkey only there. */
    host: Fixed<string>;
    name: string;
    /** The public key as a COSE key, in base64url. */
    public_key: Fixed<string>;
    /** JSON: how a browser can reach the device. */
    transports: Fixed<string>;
    /** The number of signatures that the device has reported, or 0 if it does not count them. */
    counter: number;
    created_at: Fixed<string>;
    last_used_at: string | null;
  };

  /** Command-line sign-ins that wait for an answer in the dashboard, or for the command to fetch the key. */
  cli_sign_ins: {
    /** The digest of the verifier, which only the command knows. */
    id: Fixed<string>;
    user_code: Fixed<string>;
    computer: Fixed<string>;
    address: Fixed<string>;
    /** The local port to which the browser returns. Null if the command has no browser. */
    port: FixedOrNull;
    created_at: Fixed<string>;
    expires_at: Fixed<string>;
    /** The account and the session in which the sign-in was approved. */
    approved_by: string | null;
    session_id: string | null;
    /** The digest of the code with which the browser returns to the command. */
    code_digest: string | null;
    denied_at: string | null;
  };

  /** Notifications of people: one row for each recipient. */
  notifications: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    kind: Fixed<NotificationKind>;
    at: Fixed<string>;
    /** The workspace that the notification is about, which may be deleted. Null if the notification concerns only the account. */
    workspace_id: FixedOrNull;
    workspace_name: FixedOrNull;
    /** The person who caused the notification. Null if the service caused it. */
    by_account_id: FixedOrNull;
    by_name: FixedOrNull;
    /** The invitation or webhook that the notification is about. */
    subject_id: FixedOrNull;
    /** JSON: details of what happened. */
    detail: FixedOrNull;
    read_at: Generated<string | null>;
  };

  /** Sign-ins, key resets and other events of an account. They are deleted with the account. */
  account_events: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    type: Fixed<string>;
    at: Fixed<string>;
    address: Fixed<string | null>;
    user_agent: Fixed<string | null>;
    /** The member of the workspace who caused the event, if it was not the account itself. */
    by_account_id: FixedOrNull;
    by_name: FixedOrNull;
    /** JSON: details of what changed. */
    detail: FixedOrNull;
  };
}
