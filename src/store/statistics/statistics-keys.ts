import type { Database } from '../tables.ts';

/** The primary keys of the statistics. */
export const callKey: (keyof Database['call_statistics'])[] = ['account_id', 'time', 'route', 'status', 'bucket'];
export const promptKey: (keyof Database['prompt_statistics'])[] = ['account_id', 'time', 'prompt_id', 'version', 'label', 'status'];
export const renderErrorKey: (keyof Database['render_errors'])[] = ['account_id', 'time', 'prompt_id', 'code', 'name'];
