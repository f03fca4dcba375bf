import { useLayoutEffect, useRef } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { shortTimestamp, fullTime } from '../../kernel/time.ts'
import { isDeleting } from '../../capabilities/message-edits/deleting.tsx'
import { isHiddenMessage } from '../../capabilities/muted-users/state.ts'
import { useLiveAnswer, type ReadablePlace } from '../../capabilities/places/live-answer.ts'
import { routeOfFileFilter, filesIn, filesQuery, type LinkedFile } from '../../capabilities/uploads/files.ts'
import { fileType } from '../../capabilities/uploads/state.ts'
import { ownId, userName } from '../../capabilities/users/state.ts'
import { conversationOfMessage } from '../../kernel/message.ts'
import { messages } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Link } from '../../platform/dom/link.tsx'
import { closeSheet } from '../../platform/frame.ts'
import { Part, resultCountText, ListFooter } from './part.tsx'

const FILES = filesQuery()

/** Until the server answers, shows the files in loaded messages. */
export function Files({ place }: { readonly place: ReadablePlace }) {
  const reading = useLiveAnswer(place, FILES)
  const linking = (reading.answer.value?.messages ?? messages.shownIn(place)).filter((message) => !isDeleting(message))
  const all = filesIn(linking)
  const files = filesIn(linking.filter((message) => !isHiddenMessage(message)))
  const list = useRef<HTMLUListElement>(null)
  /** Number of files that were listed when older files were requested. */
  const asked = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (asked.current === undefined || files.length <= asked.current) return
    // The focused button disappears when the last page loads, so the first new file takes the focus.
    if (document.activeElement === document.body)
      list.current?.querySelectorAll<HTMLElement>('.panel-file')[asked.current]?.focus()
    asked.current = undefined
  }, [files.length])
  const isEmpty = reading.answer.value?.isWhole === true && all.length === 0
  return (
    <Part
      id="files"
      title={t().nav.files}
      number={resultCountText(reading, all.length)}
      tools={<SearchLink place={place} />}
    >
      {isEmpty && <p class="note">{tl().panel.noFiles}</p>}
      {files.length > 0 && (
        <ul ref={list} class="panel-files">
          {files.map((file) => (
            <li key={file.path}>
              <File file={file} />
            </li>
          ))}
        </ul>
      )}
      {all.length > files.length && <p class="note">{tl().panel.filesLeftOut(all.length - files.length)}</p>}
      <ListFooter reading={reading} more={tl().panel.olderFiles} onMore={() => (asked.current = files.length)} />
    </Part>
  )
}

function SearchLink({ place }: { readonly place: ReadablePlace }) {
  return (
    <Link
      to={routeOfFileFilter({ place })}
      class="icon-button"
      label={tl().files.search}
      title={tl().files.search}
      onFollow={closeSheet}
    >
      <Icon name="search" size={16} />
    </Link>
  )
}

function File({ file: { name, path, message } }: { readonly file: LinkedFile }) {
  const type = fileType(name)
  return (
    <>
      <a class="panel-file" href={path} target="_blank" rel="noopener noreferrer">
        <Icon name="attach" size={14} />
        <bdi>{name}</bdi>
      </a>
      <span class="note">
        {type !== '' && <>{type} · </>}
        <bdi>{userName(message.sender_id)}</bdi> ·{' '}
        <Link
          to={{ ...conversationOfMessage(message, ownId()), near: message.id }}
          title={fullTime(message.timestamp)}
          onFollow={closeSheet}
        >
          {shortTimestamp(message.timestamp)}
        </Link>
      </span>
    </>
  )
}
