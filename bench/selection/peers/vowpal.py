"""Vowpal Wabbit as a child process: JSON lines in, JSON lines out, several workspaces at once."""

import json
import sys

from vowpalwabbit import Workspace


def example(context, actions, chosen=None, cost=0.0, probability=1.0):
    lines = ["shared |c " + context]
    for index, action in enumerate(actions):
        lines.append(f"0:{cost}:{probability} {action}" if index == chosen else action)
    return lines


def main():
    workspaces = {}
    for line in sys.stdin:
        request = json.loads(line)
        name = request["workspace"]
        if name not in workspaces:
            workspaces[name] = Workspace(request["options"] + " --quiet")
        workspace = workspaces[name]
        actions = request["actions"]
        for context, count, chosen, cost, probability in request["learn"]:
            workspace.learn(example(context, actions[:count], chosen, cost, probability))
        answers = [workspace.predict(example(context, actions[:count])) for context, count in request["predict"]]
        if request["last"]:
            workspaces.pop(name).finish()
        sys.stdout.write(json.dumps(answers) + "\n")
        sys.stdout.flush()


main()
