import { effect } from '@preact/signals'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import type { Conversation } from '../../kernel/route.ts'
import { store } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { UserFacingError } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { offerUndo } from '../../platform/undo.ts'
import type { ComposedText } from '../composer/composed-text.ts'
import { placeName } from '../places/title.tsx'
import { BYTES_PER_MEBIBYTE } from '../uploads/transfer.ts'
import { Clip, type ClipKind } from './clip.ts'
import { openClips } from './state.ts'

/** Functions that withdraw Undo of a discarded recording, by the key of its composer. */
const undoWithdrawals = new Map<string, () => void>()

/** Records in the composer, unless it already has a recording. A recording elsewhere ends, to release the microphone. */
export function startClip({ key }: ComposedText, kind: ClipKind): void {
  const present = openClips.value.get(key)
  if (present !== undefined && present.stage.value !== 'failed') return
  undoWithdrawals.get(key)?.()
  for (const other of openClips.value.values()) other.stop()
  const clip = new Clip(kind, {
    name: tl().clips.fileName(kind, timestampOf(new Date())),
    maxBytes: store().read('max_file_upload_size_mib') * BYTES_PER_MEBIBYTE,
  })
  openClips.value = new Map(openClips.value).set(key, clip)
  void clip.start()
}

/** Formats the local time without colons, which file names on Windows cannot contain. */
function timestampOf(date: Date): string {
  const pad = (number: number): string => String(number).padStart(2, '0')
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day} ${pad(date.getHours())}.${pad(date.getMinutes())}`
}

const preventClosing = (event: BeforeUnloadEvent): void => event.preventDefault()

effect(() => {
  const hasRecordings = [...openClips.value.values()].some(({ hasRecording }) => hasRecording)
  if (hasRecordings) window.addEventListener('beforeunload', preventClosing)
  else window.removeEventListener('beforeunload', preventClosing)
})

function composerKeyOf(clip: Clip): string | undefined {
  return [...openClips.value].find(([, one]) => one === clip)?.[0]
}

function removeClip(clip: Clip): string | undefined {
  const key = composerKeyOf(clip)
  openClips.value = new Map([...openClips.value].filter(([, one]) => one !== clip))
  return key
}

export function attachClip(writing: ComposedText, clip: Clip): void {
  if (clip.file === undefined) return
  removeClip(clip)
  writing.upload([clip.file])
  const transcript = clip.transcript.value.trim()
  if (transcript !== '') writing.insert(`\n${transcript}\n`)
}

export function discardClip(clip: Clip): void {
  const { hasRecording } = clip
  const key = removeClip(clip)
  clip.close()
  if (!hasRecording || key === undefined) return
  const forget = offerUndo(tl().clips.discarded, async () => {
    const other = openClips.value.get(key)
    if (other?.hasRecording === true) throw new UserFacingError(tl().clips.isOpen)
    other?.close()
    undoWithdrawals.delete(key)
    openClips.value = new Map(openClips.value).set(key, clip)
  })
  undoWithdrawals.set(key, forget)
}

/** Pauses a recording whose composer was left, and offers to return. @param place conversation of that composer */
export function pauseLeftClip(clip: Clip, place: Conversation | undefined): void {
  const { value: stage } = clip.stage
  if (composerKeyOf(clip) === undefined) return
  if (stage === 'asking' || stage === 'failed') discardClip(clip)
  if (stage !== 'recording') return
  clip.pause()
  const action = place && { title: t().composer.goThere, run: () => go(place) }
  toast(place === undefined ? tl().clips.paused : tl().clips.pausedIn(placeName(place)), action)
}
