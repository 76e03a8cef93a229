// This file contains the layout of pages with an editor. On wide screens, such a page is as tall as the window, and each part scrolls
// separately.

export const tallPageClass = 'lg:flex lg:h-dvh lg:min-h-max lg:flex-col lg:pb-5';

/**
 * The editor fills the remaining height. If the header is tall, the page scrolls instead. The length of the content does not affect the
 * height.
 */
export const editorPaneClass = 'flex-1 lg:min-h-112 lg:[contain:size]';

/** The row with the title and the actions of the page, which stays visible. On phones, only the actions stay visible, below the top bar. */
export const barClass =
  'z-20 mb-5 max-sm:contents sm:sticky sm:top-12 sm:flex sm:flex-wrap sm:items-end sm:gap-x-4 sm:border-line sm:border-b sm:bg-page lg:top-0';

export const actionsClass =
  'flex items-center gap-2 max-sm:sticky max-sm:top-12 max-sm:z-20 max-sm:-mx-4 max-sm:mb-3 max-sm:justify-end max-sm:border-line max-sm:border-b max-sm:bg-page max-sm:px-4 max-sm:py-2 sm:ml-auto sm:py-1.5';
