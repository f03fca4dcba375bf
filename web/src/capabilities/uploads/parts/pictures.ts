import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { withPart } from '../../../platform/dom/lazy.tsx'
import { hasLessMotion } from '../../appearance/state.ts'
import { fileType } from '../state.ts'
import './pictures.css'

/** In pixels. Thumbnails are twice as large, for high-density screens. */
const MAX_PICTURE_PIXELS = { width: 420, height: 280 }

/** Reserves space for pictures, recordings, and files, and fills it lazily. @returns a function that removes players */
export function preparePictures(content: HTMLElement): (() => void) | undefined {
  for (const image of content.querySelectorAll<HTMLImageElement>('.message_inline_image img')) preparePicture(image)
  for (const film of content.querySelectorAll<HTMLVideoElement>('.message_inline_video video')) prepareVideo(film)
  prepareAudio(content)
  prepareFiles(content)
  groupPictures(content)
  return content.querySelector('video, audio') === null ? undefined : preparePlayers(content)
}

function preparePlayers(content: HTMLElement): () => void {
  const aborter = new AbortController()
  void withPart(
    import('../../clips/parts/player.tsx'),
    ({ mountPlayers }) => mountPlayers(content, aborter.signal),
    // Offline, the browser's own controls play what it has cached.
    () => content.querySelectorAll('audio').forEach((sound) => sound.toggleAttribute('controls', true)),
  )
  return () => aborter.abort()
}

/** Puts each file that ends a line and has no preview into a card. Other links only name their type. */
function prepareFiles(content: HTMLElement): void {
  const previews = content.querySelectorAll<HTMLAnchorElement | HTMLMediaElement>(
    '.message_inline_image a, video, audio',
  )
  const previewed = new Set([...previews].map((one) => (one instanceof HTMLMediaElement ? one.src : one.href)))
  const links = content.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]:not(.message_inline_image *)')
  const cards: HTMLAnchorElement[] = []
  // In reverse, because other files can follow on the line.
  for (const link of [...links].toReversed()) {
    const type = fileType(link.pathname)
    const isCard = !previewed.has(link.href) && link.matches(':is(p, li) > a:not(blockquote *)') && endsLine(link)
    if (isCard || (type !== '' && fileType(link.textContent) !== type)) link.dataset['type'] = type
    if (!isCard) continue
    const card = document.createElement('span')
    card.className = 'file-card'
    link.replaceWith(card)
    card.append(link)
    link.target = '_blank'
    cards.push(link)
  }
  if (cards.length > 0)
    void withPart(
      import('./file-row.tsx'),
      ({ completeCards }) => completeCards(cards),
      // Offline, the cards stay without buttons.
      () => undefined,
    )
}

function endsLine(link: Node): boolean {
  const { nextSibling: next } = link
  if (next instanceof Element) return next.matches('br, .file-card')
  return next === null || (next.textContent?.trim() === '' && endsLine(next))
}

/** Lays out pictures and videos for readers without an account, who have no settings. */
export function layOutPictures(content: HTMLElement): void {
  for (const image of content.querySelectorAll<HTMLImageElement>('.message_inline_image img')) layOutPicture(image)
  for (const film of content.querySelectorAll<HTMLVideoElement>('.message_inline_video video')) prepareVideo(film)
  groupPictures(content)
}

function preparePicture(image: HTMLImageElement): void {
  layOutPicture(image)
  if (image.dataset['animated'] === 'true') prepareAnimation(image)
  image.addEventListener('error', () => {
    // Offline, the replacement cannot be loaded either.
    void withPart(
      import('./missing.ts'),
      ({ showWithoutThumbnail }) => showWithoutThumbnail(image),
      () => undefined,
    )
  })
}

function layOutPicture(image: HTMLImageElement): void {
  image.loading = 'lazy'
  image.decoding = 'async'
  const name = image.closest('a')?.title ?? ''
  image.alt = name
  image.closest('a')?.setAttribute('aria-label', t().pictures.open(name))
  const [width = 0, height = 0] = (image.dataset['originalDimensions'] ?? '').split('x').map(Number)
  if (width > 0 && height > 0) {
    const scale = Math.min(1, MAX_PICTURE_PIXELS.width / width, MAX_PICTURE_PIXELS.height / height)
    image.width = Math.max(1, Math.round(width * scale))
    image.height = Math.max(1, Math.round(height * scale))
    // Sets the exact ratio, because the rounded width and height would distort the picture.
    image.style.aspectRatio = `${width} / ${height}`
  }
}

function prepareAnimation(image: HTMLImageElement): void {
  const wish = store().read('user_settings').web_animate_image_previews
  const isQuiet = hasLessMotion.read() || window.matchMedia('(prefers-reduced-motion: reduce)').matches
  if (wish === 'always' && !isQuiet) return
  const still = store()
    .read('server_thumbnail_formats')
    .find(({ animated }) => !animated)
  if (still === undefined) return
  const moving = image.src
  image.dataset['moving'] = moving
  const quiet = moving.replace(/[^/]+$/, still.name)
  image.src = quiet
  if (wish === 'never' || isQuiet) return
  const link = image.closest('a')
  const show = (address: string) => () => {
    if (image.dataset['failed'] === undefined) image.src = address
  }
  for (const begin of ['mouseenter', 'focus']) link?.addEventListener(begin, show(moving))
  for (const end of ['mouseleave', 'blur']) link?.addEventListener(end, show(quiet))
}

function prepareVideo(film: HTMLVideoElement): void {
  film.controls = true
  const link = film.closest('a')
  film.setAttribute('aria-label', link?.title ?? '')
  film.addEventListener('error', () => film.remove())
  link?.replaceWith(film)
}

const AUDIO_PATH = /^\/user_uploads\/.+\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav|weba)$/i

function prepareAudio(content: HTMLElement): void {
  const films = new Set([...content.querySelectorAll('video')].map(({ src }) => src))
  // In reverse, because each player is put right after the paragraph.
  for (const link of [...content.querySelectorAll('p a')].toReversed()) {
    if (!(link instanceof HTMLAnchorElement) || link.closest('blockquote') !== null) continue
    const isSound = link.dataset['media'] === 'audio' || (AUDIO_PATH.test(link.pathname) && !films.has(link.href))
    if (link.origin !== window.location.origin || !isSound) continue
    const player = document.createElement('div')
    player.className = 'clip'
    player.role = 'group'
    player.ariaLabel = link.textContent
    const sound = document.createElement('audio')
    sound.preload = 'none'
    sound.src = link.href
    player.append(sound)
    link.closest('p')?.after(player)
  }
}

function groupPictures(content: HTMLElement): void {
  for (const first of content.querySelectorAll('.message_inline_image')) {
    if (first.parentElement?.classList.contains('pictures') === true) continue
    const group = document.createElement('div')
    group.className = 'pictures'
    first.before(group)
    for (let next: Element | null = first; next?.classList.contains('message_inline_image') === true;) {
      group.append(next)
      next = group.nextElementSibling
    }
  }
}
