import type { MemberRole, Role } from '../../contract/roles.ts';
import type { Fixed } from '../columns.ts';

export interface WorkspaceTables {
  /** The members of workspaces. The owner of a team workspace has a row; an account has no row for its own workspace. */
  memberships: {
    workspace_id: Fixed<string>;
    account_id: Fixed<string>;
    role: Role;
    created_at: Fixed<string>;
    updated_at: string;
  };

  invitations: {
    workspace_id: Fixed<string>;
    id: Fixed<string>;
    email: Fixed<string>;
    role: MemberRole;
    /** The digest of the link's token. */
    token_digest: string;
    invited_by: Fixed<string>;
    invited_by_name: Fixed<string>;
    created_at: Fixed<string>;
    expires_at: string;
  };
}
