"""Values as a map shows them."""


def shown(data):
    """Bytes as a map shows them."""
    first = data[:32]
    if first and all(0x21 <= byte < 0x7F for byte in first):
        return '"' + first.decode().replace("\\", "\\\\").replace('"', '\\"') + ('"' if len(data) <= 32 else '"…')
    return first.hex(" ") + ("" if len(data) <= 32 else " …")
