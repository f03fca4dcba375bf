import { call } from '@parley/client'
import { history, organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SaveResult } from '../../../kernel/setting.ts'
import { languageCode } from '../../../kernel/strings.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withConfirmation } from '../../sessions/confirming.ts'
import { isAdministrator } from '../../users/state.ts'

/** Loads the setting on each visit, because no event reports changes. */
export function SearchLanguages() {
  const {
    value: found,
    hasFailed,
    again,
  } = useFetched(async () => call(SESSION, history.getSearchSettings, {}), 'search')
  const [chosen, setChosen] = useState<readonly string[]>()
  const { said, refusal, choose } = useSavedChoice(() => ta().organization.titles.search_languages)
  if (hasFailed) return <LoadFailure again={again} />
  if (found === undefined) return <LoadingRows rows={1} />
  const present = chosen ?? found.languages
  const save = async (languages: readonly string[]): Promise<SaveResult> => {
    const value = languages.join(',')
    await withConfirmation(async () => call(SESSION, organizations.updateRealm, { search_languages: value }))
    setChosen(languages)
    return 'saved'
  }
  const change = (code: string): void => {
    const next = organizations.SEARCH_LANGUAGES.filter((one) => present.includes(one) !== (one === code))
    void choose(
      async () => save(next),
      async () => save(present),
    )
  }
  const names = new Intl.DisplayNames([languageCode()], { type: 'language' })
  const choices = organizations.SEARCH_LANGUAGES.map((code) => ({ code, name: names.of(code) ?? code }))
  return (
    <>
      {choices
        .toSorted((one, other) => one.name.localeCompare(other.name, languageCode()))
        .map(({ code, name }) => (
          <label key={code} class="check">
            <input
              type="checkbox"
              checked={present.includes(code)}
              disabled={!isAdministrator()}
              onChange={() => change(code)}
            />
            <span>{name}</span>
          </label>
        ))}
      {said}
      {refusal}
    </>
  )
}
