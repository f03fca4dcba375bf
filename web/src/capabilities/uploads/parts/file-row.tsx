import { render } from 'preact'
import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { conversationOfMessage } from '../../../kernel/message.ts'
import { dayTitle, fullTime } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import { isPlainClick } from '../../../platform/router.ts'
import type { ReadableScope } from '../../places/live-answer.ts'
import { ChannelSign, placeName } from '../../places/title.tsx'
import { ownId, userName } from '../../users/state.ts'
import { showSizeOf, sizeText, useFileSize } from '../file-sizes.ts'
import { fileIcon, fileName, thumbnailOf, type LinkedFile } from '../files.ts'
import { fileType, viewedImage, type Picture } from '../state.ts'
import { FileName, isLongName } from './file-name.tsx'
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
          aria-label={name}
          data-row={path}
          onClick={open}
        >
          <FileName name={name} />
        </a>
        <span class="file-facts">
          <span>
            {type !== '' && <>{type} · </>}
            <FileSize path={path} />
            <bdi>{userName(message.sender_id)}</bdi>
          </span>
          <Link to={{ ...place, near: message.id }} class="file-link" title={fullTime(message.timestamp)}>
            {scope?.view !== 'topic' && scope?.view !== 'direct' && (
              <>
                {place.view === 'topic' ? (
                  <ChannelSign channelId={place.channelId} />
                ) : (
                  <Icon name="person" size={14} />
                )}
                <bdi>{placeName(place)}</bdi>
                <span>·</span>
              </>
            )}
            <span>{dayTitle(message.timestamp)}</span>
          </Link>
        </span>
      </div>
      <Download path={path} name={name} />
    </div>
  )
}

function Download({ path, name }: { readonly path: string; readonly name: string }) {
  return (
    <a class="icon-button" href={path} download={name} aria-label={`${tl().pictures.download}: ${name}`}>
      <Icon name="down" size={18} />
    </a>
  )
}

/** Adds icons, sizes, and download buttons to the cards of links in a message, which have space for them. */
export function completeCards(links: readonly HTMLAnchorElement[]): void {
  for (const link of links) {
    const { pathname: path } = link
    const name = fileName(path, link.textContent)
    const [before, after] = [new DocumentFragment(), new DocumentFragment()]
    render(<Icon name={fileIcon(name)} size={20} />, before)
    render(<Download path={path} name={name} />, after)
    link.before(before)
    link.after(after)
    if (link.textContent === name && link.childElementCount === 0 && isLongName(name)) showNameIn(link, name)
    showSizeOf(link)
  }
}

/** Only names are cut in the middle. Other texts, such as those with highlighted matches, are cut at the end. */
function showNameIn(link: HTMLAnchorElement, name: string): void {
  link.title = name
  link.ariaLabel = name
  link.replaceChildren()
  render(<FileName name={name} />, link)
}

function isViewable(file: LinkedFile): boolean {
  return thumbnailOf(file) !== undefined
}

function pictureOf({ name, path, message }: LinkedFile): Picture {
  const { href } = new URL(path, window.location.origin)
  return { name, address: href, linked: href, message }
}

function Thumbnail({ name, address }: { readonly name: string; readonly address: string | undefined }) {
  const [isMissing, setMissing] = useState(false)
  return (
    <span class="file-thumbnail">
      {address === undefined || isMissing ? (
        <Icon name={fileIcon(name)} size={20} />
      ) : (
        <img src={address} alt="" loading="lazy" draggable={false} onError={() => setMissing(true)} />
      )}
    </span>
  )
}

function FileSize({ path }: { readonly path: string }) {
  const bytes = useFileSize(path)
  return bytes === undefined ? null : <>{sizeText(bytes)} · </>
}
