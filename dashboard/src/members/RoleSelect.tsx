import { type MemberRole, memberRoles } from '../../../src/contract/roles.ts';
import { Select } from '../ui/Select.tsx';
import { roleTexts } from './roles.ts';

interface RoleSelectProps {
  label: string;
  value: MemberRole;
  disabled?: boolean;
  onChange: (role: MemberRole) => void;
}

export function RoleSelect({ label, value, disabled = false, onChange }: RoleSelectProps) {
  const choose = (text: string) => {
    const role = memberRoles.find((each) => each === text);
    if (role) onChange(role);
  };
  return (
    <Select aria-label={label} value={value} disabled={disabled} onChange={(event) => choose(event.target.value)}>
      {memberRoles.map((role) => (
        <option key={role}>{role}</option>
      ))}
    </Select>
  );
}

/** Radio buttons with a sentence for each role. */
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
