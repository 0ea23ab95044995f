import type { Sources } from '../syntax/program.js';
import type { Files } from '../syntax/files.js';
import { readConstructs } from './cdk.js';
import { boundFunctions, type BoundFunction } from './function-json.js';
import type { DeployedFunction, Resource } from './resource.js';
import { functionsOf, looksLikeTemplate, readTemplate, type Template } from './templates.js';
import { parseYaml } from './yaml.js';

export type { DeployedFunction, EventSource, Resource } from './resource.js';

/** JSON is written for much else; templates in it have telling names. */
const MAY_BE_TEMPLATE = /\.ya?ml$|(template|serverless|stack|cloudformation)[\w.-]*\.json$/i;

/**
 * What the program runs on, as far as its repository says so: templates of CloudFormation and SAM, serverless.yml, and
 * stacks of the CDK. Nothing is read before the first question.
 */
export class Infrastructure {
  private knownBound: BoundFunction[] | undefined;
  private known: { resources: Resource[]; functions: DeployedFunction[] } | undefined;

  constructor(
    private readonly files: Files,
    /** Asked only where a file of the program builds a stack: parsing needs the compiler. */
    private readonly sources: () => Sources,
  ) {}

  /** `AWS::SQS::Queue`; all resources if no type is named. */
  resources(type?: string): Resource[] {
    const { resources } = this.read();
    return type === undefined ? resources : resources.filter((r) => r.type === type);
  }

  functions(): DeployedFunction[] {
    return this.read().functions;
  }

  /** Functions of Azure Functions that a `function.json` binds. */
  bound(): BoundFunction[] {
    return (this.knownBound ??= boundFunctions(this.files));
  }

  private read(): { resources: Resource[]; functions: DeployedFunction[] } {
    if (this.known) return this.known;
    const templates = this.files.beside().flatMap((file): Template[] => {
      if (!MAY_BE_TEMPLATE.test(file)) return [];
      const text = this.files.text(file) ?? '';
      return looksLikeTemplate(text) ? [readTemplate(file, parseYaml(text))] : [];
    });
    const declared = templates.flatMap((t) => t.resources);
    const built = this.files.list().filter((file) => /['"](aws-cdk-lib|@aws-cdk\/)/.test(this.files.text(file) ?? '')).flatMap((file) => {
      const source = this.sources().parser.parse(file);
      return source ? [readConstructs(source)] : [];
    });
    this.known = {
      resources: [...declared, ...built.flatMap((b) => b.resources)],
      functions: [...templates.flatMap((t) => functionsOf(t, declared)), ...built.flatMap((b) => b.functions)],
    };
    return this.known;
  }
}
