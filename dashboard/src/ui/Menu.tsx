import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-lg bg-surface p-1 shadow-pop data-[state=open]:animate-fade"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon: LucideIcon;
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={cx(
        'flex h-8 cursor-default select-none items-center gap-2 rounded-md px-2 outline-none',
        danger ? 'text-danger data-highlighted:bg-danger-soft' : 'text-ink data-highlighted:bg-hover',
      )}
    >
      <Icon aria-hidden className={cx('size-4 shrink-0', !danger && 'text-ink-3')} />
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}
