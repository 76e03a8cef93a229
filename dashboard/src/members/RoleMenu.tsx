import { Check, ChevronDown, type LucideIcon, UserRound } from 'lucide-react';
import { type MemberRole, memberRoles } from '../../../src/contract/roles.ts';
import { buttonClass } from '../ui/Button.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';

interface RoleMenuProps {
  name: string;
  value: MemberRole;
  onChange: (role: MemberRole) => unknown;
}

/** Changes the role of a member. This is not a select, because a select may change its value with every press of an arrow key. */
export function RoleMenu({ name, value, onChange }: RoleMenuProps) {
  const iconOf = (role: MemberRole): LucideIcon => (role === value ? Check : UserRound);
  return (
    <Menu
      trigger={
        <button type="button" aria-label={`Role of ${name}: ${value}`} className={buttonClass('secondary')}>
          {value}
          <ChevronDown aria-hidden className="size-4 text-ink-3" />
        </button>
      }
    >
      {memberRoles.map((role) => (
        <MenuItem key={role} icon={iconOf(role)} onSelect={() => role !== value && onChange(role)}>
          {role}
        </MenuItem>
      ))}
    </Menu>
  );
}
