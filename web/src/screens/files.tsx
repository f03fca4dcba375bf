import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { tl } from '../kernel/later-texts.ts'
import { conversationOfMessage } from '../kernel/message.ts'
import { t } from '../kernel/strings.ts'
import { fullDate } from '../kernel/time.ts'
import { isNarrow } from '../platform/frame.ts'
import { LoadMoreButton } from '../platform/list/more.tsx'
import { Rows } from '../platform/list/rows.tsx'
import { EmptyState, LoadFailure, LoadingRows } from '../platform/list/states.tsx'
import { announce } from '../platform/overlay/announce.tsx'
import { go } from '../platform/router.ts'
import { fontSize } from '../capabilities/appearance/state.ts'
import { mayRead } from '../capabilities/channels/rights.ts'
import { channelById } from '../capabilities/channels/state.ts'
import { isDeleting, pendingDeletions } from '../capabilities/message-edits/deleting.tsx'
import { isHiddenMessage } from '../capabilities/muted-users/state.ts'
import { useLiveAnswer, type ReadableScope } from '../capabilities/places/live-answer.ts'
import {
  filterFiles,
  parseFileFilter,
  routeOfFileFilter,
  type FileFilter,
  filesIn,
  filesQuery,
  fileTextsQuery,
  type LinkedFile,
} from '../capabilities/uploads/files.ts'
import { FileFilters } from '../capabilities/uploads/parts/file-filters.tsx'
import { FileRow } from '../capabilities/uploads/parts/file-row.tsx'
import { ownId } from '../capabilities/users/state.ts'
import { Header } from './header.tsx'

/** Pause in typing before the name enters the URL. */
const URL_DELAY_MILLISECONDS = 300

export function FilesView({ query }: { readonly query: string | undefined }) {
  const inUrl = useMemo(() => parseFileFilter(query), [query])
  // Text typed since the URL was updated.
  const [typed, setTyped] = useState<string>()
  const filter = typed === undefined ? inUrl : { ...inUrl, name: typed }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: FileFilter): void => {
    clearTimeout(timer.current)
    const show = (): void => {
      setTyped(undefined)
      go(routeOfFileFilter(next), { replace: true })
    }
    if (next.name === filter.name || next.name === '') show()
    else {
      setTyped(next.name)
      timer.current = setTimeout(show, URL_DELAY_MILLISECONDS)
    }
  }
  return (
    <>
      <Header title={t().nav.files} />
      <div class="view-scroll">
        <div class="topics">
          <FileFilters filter={filter} onChange={change} />
          {isReadable(filter.place) ? (
            <FileList filter={filter} words={inUrl.name} onClear={() => change(parseFileFilter())} />
          ) : (
            <EmptyState icon="attach" title={t().app.notFound} more={t().app.notFoundMore} />
          )}
        </div>
      </div>
    </>
  )
}

function isReadable(scope: ReadableScope): boolean {
  if (scope === undefined || scope.view === 'direct') return true
  const channel = channelById(scope.channelId)
  return channel !== undefined && mayRead(channel)
}

interface FileListProps {
  readonly filter: FileFilter
  /** Words that files can contain instead of having them in their name. */
  readonly words: string
  readonly onClear: () => void
}

/** Row heights in multiples of the person's font size. */
const ROW_HEIGHT_EMS = { wide: 3.75, narrow: 5.25 }

function FileList({ filter, words, onClear }: FileListProps) {
  const { place, senderId, kind, name } = filter
  const reading = useLiveAnswer<Answer, ReadableScope>(
    place,
    useMemo(() => filesQuery(senderId), [senderId]),
  )
  const answer = reading.answer.value
  const all = useMemo(
    () => filesIn((answer?.messages ?? []).filter((message) => !isDeleting(message))),
    [answer, pendingDeletions.value],
  )
  const texts = useLiveAnswer(
    place,
    useMemo(() => fileTextsQuery(words, senderId), [words, senderId]),
  )
  const withText = filterFiles(texts.answer.value?.files ?? [], { ...filter, name: '' }).filter(
    ({ message }) => !isDeleting(message),
  )
  const matching = mergeFiles(filterFiles(all, filter), withText).filter(({ message }) =>
    isReadable(conversationOfMessage(message, ownId())),
  )
  const files = matching.filter(({ message }) => !isHiddenMessage(message))
  const { isSearching, isPaused, more } = useContinuedSearch(reading, matching.length, `${kind ?? ''} ${name}`)
  const isWhole = answer?.isWhole === true
  const found = isWhole ? tl().files.found(files.length) : tl().files.foundMore(files.length)
  const isFiltered = kind !== undefined || name !== ''
  useEffect(() => {
    if (!isSearching && isFiltered) announce(files.length === 0 ? tl().files.noMatch : found)
  }, [isSearching, kind, name])
  const oldest = answer?.messages[0]
  const list = useRef<HTMLDivElement>(null)
  /** Number of files that were listed when more were requested. */
  const asked = useRef(0)
  useLayoutEffect(() => {
    // The focused button disappears with the last page, so the first new file takes the focus.
    const next = isWhole && asked.current > 0 ? files[asked.current] : undefined
    if (next === undefined || document.activeElement !== document.body) return
    asked.current = 0
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(next.path)}"]`)?.focus()
  }, [isWhole, files.length])
  return (
    <div ref={list}>
      {files.length > 0 && <p class="note files-count">{found}</p>}
      {isWhole && matching.length === 0 && !texts.isLoading.value && <NoFiles filter={filter} onClear={onClear} />}
      <Rows
        things={files}
        keyOf={({ path }) => path}
        height={fontSize.read() * (isNarrow.value ? ROW_HEIGHT_EMS.narrow : ROW_HEIGHT_EMS.wide)}
        label={t().nav.files}
      >
        {(file) => <FileRow file={file} listed={files} scope={place} />}
      </Rows>
      {matching.length > files.length && <p class="note">{tl().panel.filesLeftOut(matching.length - files.length)}</p>}
      {reading.hasFailed.value && <LoadFailure again={reading.more} />}
      {isSearching && <LoadingRows rows={files.length === 0 ? 6 : 2} />}
      {isPaused && oldest !== undefined && <p class="note">{tl().files.searchedTo(fullDate(oldest.timestamp))}</p>}
      {answer !== undefined && !isWhole && !reading.hasFailed.value && (
        <LoadMoreButton
          label={isPaused ? tl().files.goOn : tl().panel.olderFiles}
          page={files.length}
          isLoading={isSearching}
          isAutomatic={!isSearching && !isPaused}
          more={() => {
            asked.current = files.length
            more()
          }}
        />
      )}
    </div>
  )
}

/** Newest first. */
function mergeFiles(files: readonly LinkedFile[], others: readonly LinkedFile[]): readonly LinkedFile[] {
  const paths = new Set(files.map(({ path }) => path))
  const added = others.filter(({ path }) => !paths.has(path))
  return [...files, ...added].toSorted((one, other) => other.message.id - one.message.id)
}

function NoFiles({ filter, onClear }: Omit<FileListProps, 'words'>) {
  const { place, senderId, kind, name } = filter
  const isFiltered = kind !== undefined || name !== '' || senderId !== undefined
  if (!isFiltered && place === undefined)
    return <EmptyState icon="attach" title={tl().panel.noFiles} more={tl().files.emptyMore} />
  return (
    <EmptyState icon="attach" title={isFiltered ? tl().files.noMatch : tl().panel.noFiles}>
      <button class="button" onClick={onClear}>
        {tl().files.clearAll}
      </button>
    </EmptyState>
  )
}

/** Number of files to find before the reader scrolls further. */
const FILES_PER_PAGE = 40
/** Rare files are searched for in this many messages before the person is asked to continue. */
const MAX_MESSAGES_PER_SEARCH = 1_200

type Answer = Awaited<ReturnType<ReturnType<typeof filesQuery>['begin']>>

/** Reads older messages until enough of them have files that match. Messages already read are not read again. */
function useContinuedSearch(
  reading: ReturnType<typeof useLiveAnswer<Answer, ReadableScope>>,
  found: number,
  key: string,
) {
  const { answer, isLoading, hasFailed } = reading
  const read = answer.value?.messages.length ?? 0
  const [goal, setGoal] = useState({ reading, key, files: FILES_PER_PAGE, messages: MAX_MESSAGES_PER_SEARCH })
  const isCurrent = goal.key === key && goal.reading === reading
  const setNext = (files: number): void => setGoal({ reading, key, files, messages: read + MAX_MESSAGES_PER_SEARCH })
  useEffect(() => {
    if (!isCurrent) setNext(FILES_PER_PAGE)
  }, [isCurrent])
  const needsMore = answer.value?.isWhole !== true && !hasFailed.value && found < goal.files
  const isSearching = needsMore && (!isCurrent || read < goal.messages)
  useEffect(() => {
    if (isSearching && isCurrent && !isLoading.value && answer.value !== undefined) reading.more()
  }, [isSearching, isCurrent, isLoading.value, answer.value])
  return {
    isSearching: isSearching || (isLoading.value && answer.value === undefined),
    isPaused: needsMore && !isSearching,
    more: () => setNext(found + FILES_PER_PAGE),
  }
}
