import { loadRefusals, translated } from '../kernel/refusal-texts.ts'
import { translateRefusals } from './requests.ts'

/** Shows server errors in the current language from now on. */
export async function speakOfRefusals(): Promise<void> {
  await loadRefusals()
  translateRefusals(translated)
}
