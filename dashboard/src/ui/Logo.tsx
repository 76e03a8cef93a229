function LogoMark({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" fill="none" className={className}>
      <rect width="32" height="32" rx="8" className="fill-[#0f766e]" />
      <g stroke="#fff" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="16" cy="8.5" r="2.5" />
        <path d="M16 11v14M11.5 15h9M7 18.5c.6 4 4.2 6.7 9 6.7s8.4-2.7 9-6.7" />
      </g>
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark className="size-6" />
      <span className="font-semibold text-base text-ink tracking-tight">PromptHarbor</span>
    </span>
  );
}
