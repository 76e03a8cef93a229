import { type MemberRole, memberRoles } from '../../../src/contract/roles.ts';
import { roleTexts } from './roles.ts';

/** Shows radio buttons with a sentence for each role. */
export function RoleChoice({ value, onChange }: { value: MemberRole; onChange: (role: MemberRole) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Role</legend>
      <div className="space-y-2">
        {memberRoles.map((role) => (
          <label key={role} className="flex cursor-pointer items-start gap-2">
            <input type="radio" name="role" className="mt-1 accent-accent" checked={role === value} onChange={() => onChange(role)} />
            <span>
              {role}
              <span className="block text-ink-3 text-xs">{roleTexts[role]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
