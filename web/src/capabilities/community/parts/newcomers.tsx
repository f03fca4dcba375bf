/* Bundled with the settings pages: see `APART` in `web/build.js`. */
import { call } from '@parley/client'
import { community as declared, organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SaveResult } from '../../../kernel/setting.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withChosen } from '../../organizations/choices.ts'
import { withConfirmation } from '../../sessions/confirming.ts'
import { isAdministrator } from '../../users/state.ts'

type Settings = declared.NewcomerSettings

const MESSAGES = [0, 3, 5, 10, 20, 50]
const DAYS = [0, 1, 3, 7, 14, 30]

const FLAGS = [
  'newcomer_limit_links',
  'newcomer_limit_mentions',
  'newcomer_limit_direct_messages',
  'newcomer_limit_uploads',
  'newcomer_limits_for_invited',
] as const

/** Loads the settings on each visit, because no event reports changes. */
export function NewcomerLimits() {
  const {
    value: found,
    hasFailed,
    again,
  } = useFetched(async () => call(SESSION, declared.getNewcomerSettings, {}), 'newcomers')
  const [changed, setChanged] = useState<Partial<Settings>>({})
  const { said, refusal, choose } = useSavedChoice(() => ta().community.newcomers)
  if (hasFailed) return <LoadFailure again={again} />
  if (found === undefined) return <LoadingRows rows={3} />
  const present: Settings = { ...found, ...changed }
  const save = async (values: Partial<Settings>): Promise<SaveResult> => {
    await withConfirmation(async () => call(SESSION, organizations.updateRealm, values))
    setChanged((before) => ({ ...before, ...values }))
    return 'saved'
  }
  const change = (values: Partial<Settings>, before: Partial<Settings>): void =>
    void choose(
      async () => save(values),
      async () => save(before),
    )
  const select = (name: 'newcomer_messages' | 'newcomer_days', values: readonly number[]) => (
    <label class="field">
      <span>{ta().community.settings[name]}</span>
      <select
        class="input"
        value={present[name]}
        disabled={!isAdministrator()}
        onChange={({ currentTarget }) => change({ [name]: Number(currentTarget.value) }, { [name]: present[name] })}
      >
        {withChosen(values, present[name]).map((number) => (
          <option key={number} value={number}>
            {number === 0 ? ta().community.none : ta().community[name](number)}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <>
      {select('newcomer_messages', MESSAGES)}
      {select('newcomer_days', DAYS)}
      {FLAGS.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={present[name]}
            disabled={!isAdministrator()}
            onChange={() => change({ [name]: !present[name] }, { [name]: present[name] })}
          />
          <span>{ta().community.settings[name]}</span>
        </label>
      ))}
      {said}
      {refusal}
    </>
  )
}
