import { loadUnsavedTexts, tu, tl } from '../../kernel/later-texts.ts'
import { askConfirmation } from '../../platform/overlay/confirm.tsx'
import { openClips } from '../clips/state.ts'
import { typedDrafts } from '../drafts/state.ts'
import { editsByMessageId } from '../message-edits/state.ts'
import { outgoingMessages } from '../messages/outbox.ts'
import { uploads } from '../uploads/state.ts'
import { cancelUpload } from '../uploads/transfer.ts'

const MAX_NAMED_LOSSES = 5
const MAX_EXCERPT_CHARACTERS = 40

/** Asks for confirmation before deleting text and files that only this browser has. */
export async function confirmLossOfUnsavedWork(run: () => void): Promise<void> {
  await loadUnsavedTexts()
  const lost = namesOfUnsavedWork()
  if (lost.length === 0) return run()
  const more = lost.length - MAX_NAMED_LOSSES
  const named = lost.slice(0, MAX_NAMED_LOSSES)
  askConfirmation({
    text: tu().lost(more > 0 ? [...named, tu().more(more)] : named),
    action: tl().signIn.signOut,
    run: () => {
      for (const upload of uploads.value) cancelUpload(upload)
      run()
    },
  })
}

function namesOfUnsavedWork(): readonly string[] {
  const changed = [...editsByMessageId.value.values()].filter(({ text, before }) => text !== before)
  const drafts = [...typedDrafts().values()].filter(({ isUnsaved, content }) => isUnsaved && content.trim() !== '')
  const recordings = [...openClips.value.values()].filter(({ hasRecording }) => hasRecording)
  const running = uploads.value.filter(({ failure }) => failure === undefined)
  return [
    ...changed.map(({ text }) => tu().lostEdit(truncateText(text))),
    ...outgoingMessages().map(({ content }) => tu().lostMessage(truncateText(content))),
    ...drafts.map(({ content }) => tu().lostDraft(truncateText(content))),
    ...recordings.map(() => tu().lostClip),
    ...running.map(({ file }) => tu().lostUpload(file.name)),
  ]
}

function truncateText(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > MAX_EXCERPT_CHARACTERS ? `${line.slice(0, MAX_EXCERPT_CHARACTERS).trimEnd()}…` : line
}
