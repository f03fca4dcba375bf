import { useEffect, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { sync } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { announce } from '../../../platform/overlay/announce.tsx'
import { isPlainClick } from '../../../platform/router.ts'
import { sizeText, useFileSize } from '../../uploads/file-sizes.ts'
import { fileIcon, fileKind, stillOf } from '../../uploads/files.ts'
import { uploadPreviews, type KnownPreview } from '../../uploads/previews.ts'
import { FileName } from '../../uploads/parts/file-name.tsx'
import { viewedImage, type Picture } from '../../uploads/state.ts'
import type { ComposedText } from '../composed-text.ts'
import { pathIdOf, removeLink, uploadLinksIn, type UploadLink } from '../upload-links.ts'
import './uploads.css'
import '../../uploads/parts/files.css'

export function AttachedFiles({ writing }: { readonly writing: ComposedText }) {
  const links = uploadLinksIn(writing.text.value)
  const previews = usePreviews(links)
  if (links.length === 0) return null
  const pictures = links.filter((link) => addressesOf(link, previews).length > 0)
  return (
    <ul class="uploads attached" aria-label={tl().files.attached}>
      {links.map((link) => (
        <AttachedFile
          key={link.key}
          link={link}
          addresses={addressesOf(link, previews)}
          isPending={previews === undefined && fileKind(link.name) === 'pictures'}
          pictures={pictures}
          onRemove={() => {
            removeLink(writing, link)
            announce(tl().files.removed(link.name))
          }}
        />
      ))}
    </ul>
  )
}

type Previews = ReadonlyMap<string, KnownPreview>

/** Returns undefined until the server has answered once. Offline, previews that are not known yet are missing. */
function usePreviews(links: readonly UploadLink[]): Previews | undefined {
  const [previews, setPreviews] = useState<Previews>()
  const pathIds = links.map(pathIdOf)
  const isConnected = sync.isConnected.value
  useEffect(() => {
    let isWanted = true
    void uploadPreviews(pathIds).then((known) => {
      if (isWanted) setPreviews(new Map(known))
    })
    return () => {
      isWanted = false
    }
  }, [pathIds.join('\n'), isConnected])
  return previews
}

/** Returns where a picture can be loaded from, best first: its thumbnail, and the file itself. */
function addressesOf(link: UploadLink, previews: Previews | undefined): readonly string[] {
  const pathId = pathIdOf(link)
  const preview = previews?.get(pathId)
  if (previews?.has(pathId) !== true || typeof preview === 'string') return []
  return preview === undefined ? [link.path] : [stillOf(preview.src), link.path]
}

interface AttachedFileProps {
  readonly link: UploadLink
  readonly addresses: readonly string[]
  /** Whether the file is probably a picture whose thumbnail is not known yet. */
  readonly isPending: boolean
  /** Pictures that the image viewer turns through. */
  readonly pictures: readonly UploadLink[]
  readonly onRemove: () => void
}

function AttachedFile({ link, addresses, isPending, pictures, onRemove }: AttachedFileProps) {
  const { name, path } = link
  const [failures, setFailures] = useState(0)
  const address = addresses[failures]
  const isPicture = address !== undefined
  const open = (event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }): void => {
    if (!isPicture || !isPlainClick(event)) return
    event.preventDefault()
    viewedImage.value = { link: event.currentTarget, listed: picturesOf(pictures) }
  }
  return (
    <li class="upload">
      <a
        class="file-link"
        href={path}
        title={name}
        target="_blank"
        rel="noopener noreferrer"
        draggable={false}
        aria-label={isPicture ? t().pictures.open(name) : undefined}
        onClick={open}
      >
        <span class="file-thumbnail">
          {isPicture ? (
            <img src={address} alt="" draggable={false} onError={() => setFailures(failures + 1)} />
          ) : (
            <Icon name={fileIcon(name)} size={20} />
          )}
        </span>
        {!isPicture && !isPending && (
          <>
            <FileName name={name} />
            <FileSize path={path} />
          </>
        )}
      </a>
      <button
        class="icon-button"
        type="button"
        aria-label={tl().files.remove(name)}
        title={tl().files.remove(name)}
        onClick={onRemove}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}

function picturesOf(links: readonly UploadLink[]): readonly Picture[] {
  const pictures = links.map(({ name, path }): [string, Picture] => {
    const { href } = new URL(path, window.location.origin)
    return [href, { name, address: href, linked: href, message: undefined }]
  })
  return [...new Map(pictures).values()]
}

function FileSize({ path }: { readonly path: string }) {
  const bytes = useFileSize(path)
  return bytes === undefined ? null : <span class="note">{sizeText(bytes)}</span>
}
