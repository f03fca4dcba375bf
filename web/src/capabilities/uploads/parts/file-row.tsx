import { useState, useEffect } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { conversationOfMessage } from '../../../kernel/message.ts'
import { dayTitle, fullTime } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import { isPlainClick } from '../../../platform/router.ts'
import type { ReadableScope } from '../../places/live-answer.ts'
import { ChannelSign, placeName } from '../../places/title.tsx'
import { ownId, userName } from '../../users/state.ts'
import { fileKind, thumbnailOf, type LinkedFile } from '../files.ts'
import { fileType } from '../previews.ts'
import { viewedImage, type Picture } from '../state.ts'
import './files.css'

interface FileRowProps {
  readonly file: LinkedFile
  /** Files whose pictures the image viewer turns through. */
  readonly listed: readonly LinkedFile[]
  readonly scope: ReadableScope
}

export function FileRow({ file, listed, scope }: FileRowProps) {
  const { name, path, message } = file
  const place = conversationOfMessage(message, ownId())
  const thumbnail = thumbnailOf(file)
  const type = fileType(name)
  const open = (event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }): void => {
    if (thumbnail === undefined || !isPlainClick(event)) return
    event.preventDefault()
    viewedImage.value = { link: event.currentTarget, listed: listed.filter(isViewable).map(pictureOf) }
  }
  return (
    <div class="file-row">
      <Thumbnail key={path} name={name} address={thumbnail} />
      <div class="file-text">
        <a
          class="file-name"
          href={path}
          title={name}
          target="_blank"
          rel="noopener noreferrer"
          data-row={path}
          onClick={open}
        >
          <bdi>{name}</bdi>
        </a>
        <span class="file-facts">
          <span>
            {type !== '' && <>{type} · </>}
            <FileSize path={path} />
            <bdi>{userName(message.sender_id)}</bdi>
          </span>
          <Link to={{ ...place, near: message.id }} class="file-message" title={fullTime(message.timestamp)}>
            {scope?.view !== 'topic' && scope?.view !== 'direct' && (
              <>
                {place.view === 'topic' ? (
                  <ChannelSign channelId={place.channelId} />
                ) : (
                  <Icon name="person" size={14} />
                )}
                <bdi>{placeName(place)}</bdi>
              </>
            )}
            <span>{dayTitle(message.timestamp)}</span>
          </Link>
        </span>
      </div>
      <a class="icon-button" href={path} download={name} aria-label={`${tl().pictures.download}: ${name}`}>
        <Icon name="down" size={18} />
      </a>
    </div>
  )
}

function isViewable(file: LinkedFile): boolean {
  return thumbnailOf(file) !== undefined
}

function pictureOf({ name, path, message }: LinkedFile): Picture {
  const { href } = new URL(path, window.location.origin)
  return { name, address: href, linked: href, message }
}

const KIND_ICONS = { pictures: 'eye', documents: 'list', media: 'camera', other: 'attach' } as const

function Thumbnail({ name, address }: { readonly name: string; readonly address: string | undefined }) {
  const [isMissing, setMissing] = useState(false)
  return (
    <span class="file-thumbnail">
      {address === undefined || isMissing ? (
        <Icon name={KIND_ICONS[fileKind(name)]} size={20} />
      ) : (
        <img src={address} alt="" loading="lazy" draggable={false} onError={() => setMissing(true)} />
      )}
    </span>
  )
}

const KIBIBYTE = 1_024

function FileSize({ path }: { readonly path: string }) {
  const bytes = useFileSize(path)
  return bytes === undefined ? null : <>{sizeText(bytes)} · </>
}

function sizeText(bytes: number): string {
  const { files } = tl()
  const kibibytes = bytes / KIBIBYTE
  if (kibibytes < 1) return files.bytes(bytes)
  return kibibytes < KIBIBYTE ? files.kibibytes(Math.round(kibibytes)) : files.mebibytes(kibibytes / KIBIBYTE)
}

const sizes = new Map<string, number>()
const MAX_SIZES = 5_000

/** Rows that are only scrolled past need no size. */
const DELAY_MILLISECONDS = 150

/** Returns the size in bytes once the server has answered, because messages lack it. */
function useFileSize(path: string): number | undefined {
  const [, rerender] = useState({})
  useEffect(() => {
    if (sizes.has(path)) return undefined
    const aborter = new AbortController()
    const load = async (): Promise<void> => {
      const { ok, headers } = await fetch(path, { method: 'HEAD', signal: aborter.signal })
      const bytes = headers.get('content-length')
      if (!ok || bytes === null) return
      if (sizes.size >= MAX_SIZES) sizes.clear()
      sizes.set(path, Number(bytes))
      rerender({})
    }
    const timer = setTimeout(() => {
      // The row stays without a size if the request fails.
      load().catch(() => undefined)
    }, DELAY_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [path])
  return sizes.get(path)
}
