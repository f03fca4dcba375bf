import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { conversationOfMessage } from '../../../kernel/message.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useLayer } from '../../../platform/layers.ts'
import { announce } from '../../../platform/overlay/announce.tsx'
import { go } from '../../../platform/router.ts'
import { ownId } from '../../users/state.ts'
import { Gallery } from '../gallery.ts'
import { closeViewer, type Picture, type ViewedImage } from '../state.ts'
import { useZooming, type ZoomControls } from './zooming.ts'

export function Viewer({ link, listed }: ViewedImage) {
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const gallery = useMemo(() => new Gallery(link, listed), [link])
  const picture = gallery.picture.value
  const count = gallery.count.value
  const index = gallery.index.value + 1
  useLayer(closeViewer)
  const zooming = useZooming(stage, picture.address, (to) =>
    gallery.step(to === arrowDirection(dialog.current) ? -1 : 1),
  )
  useEffect(() => gallery.follow(), [gallery])
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      // Restores the focus, because the browser forgets the earlier focus when the dialog is removed.
      link.focus({ preventScroll: true })
    }
  }, [])
  const isCounted = count !== undefined
  useEffect(
    () => announce(isCounted ? tl().pictures.shown(picture.name, index, count) : picture.name),
    [picture, isCounted],
  )
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={tl().pictures.viewer}
      onCancel={closeViewer}
      onKeyDown={(event) => onKey(event, gallery, zooming)}
    >
      <header class="viewer-head">
        <h2>
          <bdi>{picture.name}</bdi>
        </h2>
        {isCounted && <span class="viewer-position">{tl().pictures.position(index, count)}</span>}
        <Tools picture={picture} zooming={zooming} />
      </header>
      {/* Focusable when zoomed, so that the keyboard can scroll it. */}
      <div ref={stage} class="viewer-stage" tabIndex={zooming.zoom > 1 ? 0 : -1}>
        <ViewedPicture key={picture.address} picture={picture} />
      </div>
      <PictureStepButton gallery={gallery} by={-1} />
      <PictureStepButton gallery={gallery} by={1} />
    </dialog>
  )
}

/** Returns -1 in right-to-left languages, where the right arrow key moves backward. */
function arrowDirection(element: Element | null): -1 | 1 {
  return element !== null && getComputedStyle(element).direction === 'rtl' ? -1 : 1
}

function onKey(event: KeyboardEvent, gallery: Gallery, { zoom, zoomIn, zoomOut, fit }: ZoomControls): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.currentTarget instanceof HTMLElement)) return
  const right = arrowDirection(event.currentTarget)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => gallery.step(right === 1 ? -1 : 1),
    ArrowRight: () => gallery.step(right),
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    '0': fit,
  }
  // Keeps keys from reaching the view below.
  event.stopPropagation()
  const isScroll = zoom > 1 && event.target instanceof Element && event.target.matches('.viewer-stage')
  const run = keys[event.key]
  if (run === undefined || (isScroll && event.key.startsWith('Arrow'))) return
  event.preventDefault()
  run()
}

function ViewedPicture({ picture }: { readonly picture: Picture }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing) return <p class="viewer-missing">{tl().pictures.missing(picture.name)}</p>
  return <img src={picture.address} alt={picture.name} draggable={false} onError={() => setMissing(true)} />
}

function Tools({ picture, zooming }: { readonly picture: Picture; readonly zooming: ZoomControls }) {
  const { message } = picture
  return (
    <div class="viewer-tools" role="toolbar" aria-label={tl().pictures.tools}>
      <button
        class="icon-button"
        aria-label={tl().pictures.zoomOut}
        disabled={zooming.zoom === 1}
        onClick={zooming.zoomOut}
      >
        <Icon name="minus" />
      </button>
      <button class="icon-button" aria-label={tl().pictures.zoomIn} onClick={zooming.zoomIn}>
        <Icon name="plus" />
      </button>
      <a class="icon-button" aria-label={tl().pictures.download} href={picture.address} download={picture.name}>
        <Icon name="down" />
      </a>
      <button class="icon-button" aria-label={t().messages.copyLink} onClick={() => void copyWithToast(picture.linked)}>
        <Icon name="link" />
      </button>
      {message !== undefined && (
        <button
          class="icon-button"
          aria-label={tl().pictures.toMessage}
          onClick={() => {
            closeViewer()
            go({ ...conversationOfMessage(message, ownId()), near: message.id })
          }}
        >
          <Icon name="reply" />
        </button>
      )}
      <button class="icon-button" aria-label={t().app.close} onClick={closeViewer}>
        <Icon name="close" />
      </button>
    </div>
  )
}

function PictureStepButton({ gallery, by }: { readonly gallery: Gallery; readonly by: -1 | 1 }) {
  return (
    <button
      class={`icon-button viewer-turn ${by < 0 ? 'is-back' : 'is-on'}`}
      aria-label={by < 0 ? tl().pictures.previous : tl().pictures.next}
      // Not `disabled`, because a disabled button would lose the focus at the first or last picture.
      aria-disabled={!gallery.has(by)}
      onClick={() => gallery.step(by)}
    >
      <Icon name={by < 0 ? 'back' : 'chevron'} />
    </button>
  )
}
