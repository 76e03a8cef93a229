const shownMs = 8_000;

let notice: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the bottom of the page and announces it to screen readers. */
export function announce(...content: (string | Node)[]): void {
  if (!notice) {
    notice = document.createElement('p');
    notice.className = 'notice';
    notice.setAttribute('role', 'status');
    document.body.append(notice);
  }
  notice.replaceChildren(...content);
  clearTimeout(timer);
  timer = setTimeout(() => notice?.replaceChildren(), shownMs);
}
