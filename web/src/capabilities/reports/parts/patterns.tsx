import { call } from '@parley/client'
import { heldMessages, organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SaveResult } from '../../../kernel/setting.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withConfirmation } from '../../sessions/confirming.ts'
import { isAdministrator } from '../../users/state.ts'

/** Loads the setting on each visit, because no event reports changes. */
export function HeldPatterns() {
  const {
    value: found,
    hasFailed,
    again,
  } = useFetched(async () => call(SESSION, heldMessages.getHeldMessageQueue, {}), 'patterns')
  const [saved, setSaved] = useState<string>()
  const [typed, setTyped] = useState<string>()
  const { said, refusal, choose } = useSavedChoice(() => ta().organization.titles.held_message_patterns)
  if (hasFailed) return <LoadFailure again={again} />
  if (found === undefined) return <LoadingRows rows={1} />
  const present = saved ?? found.patterns
  const text = typed ?? present
  const save = async (value: string): Promise<SaveResult> => {
    await withConfirmation(async () => call(SESSION, organizations.updateRealm, { held_message_patterns: value }))
    setSaved(value)
    setTyped(undefined)
    return 'saved'
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void choose(
          async () => save(text),
          async () => save(present),
        )
      }}
    >
      <textarea
        class="input"
        rows={4}
        dir="auto"
        spellcheck={false}
        aria-label={ta().organization.titles.held_message_patterns}
        maxLength={organizations.MAX_HELD_PATTERN_CHARACTERS}
        disabled={!isAdministrator()}
        value={text}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div>
        <button class="button" disabled={text === present}>
          {ta().content.savePatterns}
        </button>
      </div>
      {said}
      {refusal}
    </form>
  )
}
