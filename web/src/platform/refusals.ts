import { loadRefusals, translateRefusal } from '../kernel/refusal-texts.ts'
import { translateRefusals } from './requests.ts'

export async function speakOfRefusals(): Promise<void> {
  await loadRefusals()
  translateRefusals(translateRefusal)
}
