import { useState } from 'preact/hooks'
import { ts } from '../../../kernel/later-texts.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadingFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { readSecondFactor, type SecondFactor } from '../actions.ts'
import { SecondFactorDialog, type Purpose } from './dialog.tsx'

/** Reloads the state after each change, because no event reports changes. */
export function SecondFactorPart() {
  const { value: found, hasFailed, again } = useFetched(readSecondFactor, 'second-factor')
  const [purpose, setPurpose] = useState<Purpose>()
  if (hasFailed) return <LoadingFailure again={again} />
  if (found === undefined) return <LoadingRows rows={1} />
  return (
    <>
      <State found={found} />
      <div class="second-factor-actions">
        {found.since === null ? (
          <button class="button primary" onClick={() => setPurpose('setup')}>
            {ts().setUp}
          </button>
        ) : (
          <>
            <button class="button" onClick={() => setPurpose('codes')}>
              {ts().newCodes}
            </button>
            {!found.is_required && (
              <button class="button danger" onClick={() => setPurpose('removal')}>
                {ts().remove}
              </button>
            )}
          </>
        )}
      </div>
      {purpose !== undefined && (
        <SecondFactorDialog
          purpose={purpose}
          onClose={() => {
            setPurpose(undefined)
            again()
          }}
        />
      )}
    </>
  )
}

function State({ found }: { readonly found: SecondFactor }) {
  const { since, recovery_codes_left: left, is_required: isRequired } = found
  return (
    <>
      {since !== null && <p>{ts().since(dayTitle(since))}</p>}
      {since !== null && <p class="note">{ts().codesLeft(left)}</p>}
      {isRequired && <p class="note">{ts().required}</p>}
    </>
  )
}
