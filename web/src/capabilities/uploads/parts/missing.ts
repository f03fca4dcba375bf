import { tl } from '../../../kernel/later-texts.ts'

/** Replaces a failed thumbnail with the file itself or, if the file is missing too, with its name. */
export function showWithoutThumbnail(image: HTMLImageElement): void {
  const link = image.closest('a')
  if (link === null || image.dataset['failed'] === 'twice') return
  // The browser must not request external files, which only the server fetches.
  const isElsewhere = link.origin !== window.location.origin
  const isTried = isElsewhere || image.dataset['failed'] === 'once' || image.src === link.href
  image.dataset['failed'] = isTried ? 'twice' : 'once'
  if (!isTried) {
    image.src = link.href
    return
  }
  link.classList.add('is-missing')
  link.removeAttribute('aria-label')
  link.textContent = tl().pictures.missing(link.title)
}
