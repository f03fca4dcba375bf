import { useEffect, useRef, useState } from 'preact/hooks'
import { conversationOfMessage } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { messages } from '../../../platform/client.ts'
import { copy } from '../../../platform/dom/clipboard.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useLayer } from '../../../platform/layers.ts'
import { announce } from '../../../platform/overlay/announce.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { go } from '../../../platform/router.ts'
import { ownId } from '../../users/state.ts'
import { closeViewer, step, viewing, type Picture } from '../viewing.ts'
import { useZooming, type Zooming } from './zooming.ts'

/** A picture over everything, with the others of its conversation before and behind it. */
export function Viewer() {
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const { pictures, index } = viewing.value ?? { pictures: [], index: 0 }
  const picture = pictures[index]
  useLayer(closeViewer)
  const zooming = useZooming(stage, `${index}`)
  useEffect(() => {
    const element = dialog.current
    const from = viewing.value?.from
    element?.showModal()
    return () => {
      element?.close()
      // The browser forgets where the focus was when the dialog leaves the page.
      from?.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    if (picture !== undefined) announce(t().pictures.shown(picture.name, index + 1, pictures.length))
  }, [index])
  if (picture === undefined) return null
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={t().pictures.viewer}
      onCancel={closeViewer}
      onKeyDown={(event) => onKey(event, zooming)}
    >
      <header class="viewer-head">
        <h2>
          <bdi>{picture.name}</bdi>
        </h2>
        <span class="viewer-position">{t().pictures.position(index + 1, pictures.length)}</span>
        <Tools picture={picture} zooming={zooming} />
      </header>
      {/* What is larger than the stage is scrolled by the keyboard, too. */}
      <div ref={stage} class="viewer-stage" tabIndex={zooming.zoom > 1 ? 0 : -1}>
        <Shown key={picture.address} picture={picture} zoom={zooming.zoom} />
      </div>
      <Turn by={-1} isThere={index > 0} />
      <Turn by={1} isThere={index < pictures.length - 1} />
    </dialog>
  )
}

function onKey(event: KeyboardEvent, { zoomIn, zoomOut, fit }: Zooming): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.currentTarget instanceof HTMLElement)) return
  // In languages that are read from the right, the next picture is on the left.
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-forward),
    ArrowRight: () => step(forward),
    '+': zoomIn,
    '-': zoomOut,
    '0': fit,
  }
  // No key reaches the view below.
  event.stopPropagation()
  const run = keys[event.key]
  if (run === undefined) return
  event.preventDefault()
  run()
}

function Shown({ picture, zoom }: { readonly picture: Picture; readonly zoom: number }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing) return <p class="viewer-missing">{t().pictures.missing(picture.name)}</p>
  const size = `${zoom * 100}%`
  return (
    <img
      src={picture.address}
      alt={picture.name}
      style={{ inlineSize: size, blockSize: size }}
      onError={() => setMissing(true)}
    />
  )
}

function Tools({ picture, zooming }: { readonly picture: Picture; readonly zooming: Zooming }) {
  const message = messages.get(picture.messageId)?.value
  return (
    <div class="viewer-tools" role="toolbar" aria-label={t().pictures.tools}>
      <button
        class="icon-button"
        aria-label={t().pictures.zoomOut}
        disabled={zooming.zoom === 1}
        onClick={zooming.zoomOut}
      >
        <Icon name="minus" />
      </button>
      <button class="icon-button" aria-label={t().pictures.zoomIn} onClick={zooming.zoomIn}>
        <Icon name="plus" />
      </button>
      <a class="icon-button" aria-label={t().pictures.download} href={picture.address} download={picture.name}>
        <Icon name="down" />
      </a>
      <button class="icon-button" aria-label={t().messages.copyLink} onClick={() => void copyAddress(picture)}>
        <Icon name="link" />
      </button>
      {message !== undefined && (
        <button
          class="icon-button"
          aria-label={t().pictures.toMessage}
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

async function copyAddress({ address }: Picture): Promise<void> {
  if (await copy(address)) toast(t().messages.copied)
}

/** Turns to the picture before or behind. */
function Turn({ by, isThere }: { readonly by: -1 | 1; readonly isThere: boolean }) {
  return (
    <button
      class={`icon-button viewer-turn ${by < 0 ? 'is-back' : 'is-on'}`}
      aria-label={by < 0 ? t().pictures.previous : t().pictures.next}
      // The focus stays on it at the end.
      aria-disabled={!isThere}
      onClick={() => step(by)}
    >
      <Icon name={by < 0 ? 'back' : 'chevron'} />
    </button>
  )
}
