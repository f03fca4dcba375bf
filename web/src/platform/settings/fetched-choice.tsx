import { useState } from 'preact/hooks'
import type { SaveResult } from '../../kernel/setting.ts'
import { useFetched } from '../list/fetched.ts'
import { LoadFailure, LoadingRows } from '../list/states.tsx'
import { useSavedChoice } from './choosing.tsx'

interface FetchedChoiceProps<Value extends string> {
  readonly id: string
  readonly title: () => string
  readonly options: readonly (readonly [value: Value, title: string])[]
  readonly isFixed: boolean
  readonly fetch: () => Promise<string>
  readonly save: (value: Value) => Promise<unknown>
}

/** Loads the setting on each visit, because no event reports changes. */
export function FetchedChoice<Value extends string>({ id, title, options, ...more }: FetchedChoiceProps<Value>) {
  const { isFixed, fetch, save } = more
  const { value: found, hasFailed, again } = useFetched(fetch, id)
  const [chosen, setChosen] = useState<string>()
  const { said, refusal, choose } = useSavedChoice(title)
  if (hasFailed) return <LoadFailure again={again} />
  if (found === undefined) return <LoadingRows rows={1} />
  const present = chosen ?? found
  const change = async (name: string): Promise<SaveResult> => {
    const [value] = options.find(([one]) => one === name) ?? []
    if (value === undefined) return 'refused'
    await save(value)
    setChosen(value)
    return 'saved'
  }
  return (
    <>
      <select
        class="input"
        aria-label={title()}
        value={present}
        disabled={isFixed}
        onChange={({ currentTarget: { value } }) =>
          void choose(
            async () => change(value),
            async () => change(present),
          )
        }
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {said}
      {refusal}
    </>
  )
}
