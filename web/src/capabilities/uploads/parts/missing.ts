import { t } from '../../../kernel/strings.ts'

/** Where the small form does not come, the file itself is shown, and where that does not either, its name. */
export function showWithoutThumbnail(image: HTMLImageElement): void {
  const link = image.closest('a')
  if (link === null || image.dataset['failed'] === 'twice') return
  // What is elsewhere is asked for by the server alone.
  const isElsewhere = link.origin !== window.location.origin
  const isTried = isElsewhere || image.dataset['failed'] === 'once' || image.src === link.href
  image.dataset['failed'] = isTried ? 'twice' : 'once'
  if (!isTried) {
    image.src = link.href
    return
  }
  link.classList.add('is-missing')
  link.removeAttribute('aria-label')
  link.textContent = t().pictures.missing(link.title)
}
