import { call } from '@parley/client'
import { organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store, sync } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { AddRow } from '../../../platform/settings/add-row.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { undoable } from '../../../platform/undo.ts'
import { withConfirmation } from '../../sessions/confirming.ts'

type Domain = organizations.RealmDomain

const add = async (domain: Domain) => withConfirmation(async () => call(SESSION, organizations.addRealmDomain, domain))
const predict = (realm_domain: Domain) => sync.predict({ type: 'realm_domains', op: 'change', realm_domain })

async function change(domain: Domain, before: Domain): Promise<void> {
  predict(domain)
  try {
    await withConfirmation(async () => call(SESSION, organizations.updateRealmDomain, domain))
  } catch (error) {
    predict(before)
    throw error
  }
}

const remove = async ({ domain }: Domain) =>
  withConfirmation(async () => call(SESSION, organizations.removeRealmDomain, { domain }))

export function Domains() {
  const [typed, setTyped] = useState('')
  const [refusal, run] = useRefusal()
  const domains = store().read('realm_domains')
  const append = async (): Promise<void> => {
    const domain = { domain: typed.trim(), allow_subdomains: false }
    if (!(await run(async () => add(domain)))) return
    setTyped('')
    undoable(ta().organization.domainAdded(domain.domain), async () => remove(domain), { isQuiet: true })
  }
  const turn = async (domain: Domain, isOn: boolean): Promise<void> => {
    const changed = { ...domain, allow_subdomains: isOn }
    if (await run(async () => change(changed, domain)))
      undoable(ta().organization.subdomains(domain.domain), async () => change(domain, changed), { isQuiet: true })
  }
  const take = async (domain: Domain): Promise<void> => {
    if (await run(async () => remove(domain)))
      undoable(ta().organization.domainRemoved(domain.domain), async () => add(domain))
  }
  return (
    <div class="form">
      <ul class="listed" aria-label={ta().organization.domains}>
        {domains.map((domain) => (
          <li key={domain.domain} class="listed-row">
            <bdi class="listed-name">{domain.domain}</bdi>
            <label class="check">
              <input
                type="checkbox"
                checked={domain.allow_subdomains}
                onChange={({ currentTarget }) => void turn(domain, currentTarget.checked)}
              />
              <span>{ta().organization.subdomains(domain.domain)}</span>
            </label>
            <button
              class="icon-button"
              aria-label={ta().organization.removeDomain(domain.domain)}
              onClick={() => void take(domain)}
            >
              <Icon name="close" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <AddRow action={ta().organization.addDomain} onAdd={() => void append()}>
        <input
          class="input"
          required
          aria-label={ta().organization.domain}
          placeholder={ta().organization.domain}
          maxLength={organizations.MAX_DOMAIN}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </AddRow>
      {refusal}
    </div>
  )
}
